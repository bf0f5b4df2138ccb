"""Runs a command while nginx serves a folder over WebDAV.

usage: nginx.py NGINX FOLDER COMMAND...
FOLDER gets nginx.conf, www/ and what nginx needs to write; the server listens on
a free port of the loopback address and ends with the command. The command finds
the address in REMOTE and one where nobody listens in NOBODY. Below /private/ the
user `fly` with the password `s3cret` is asked for.
"""

import os
import pathlib
import socket
import subprocess
import sys
import time

CONF = """daemon off;
master_process off;
error_log {folder}/error.log;
pid {folder}/nginx.pid;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  client_max_body_size 0;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/www;
    dav_methods PUT;
    create_full_put_path on;
    location / {{ }}
    location /private/ {{
      auth_basic "kernels";
      auth_basic_user_file {folder}/users;
    }}
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


nginx, folder, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
(folder / "www").mkdir(parents=True)
(folder / "users").write_text("fly:{PLAIN}s3cret\n")
port, nobody = free_port(), free_port()
conf = folder / "nginx.conf"
conf.write_text(CONF.format(folder=folder, port=port))
server = subprocess.Popen(
    [nginx, "-p", str(folder), "-c", str(conf)],
    stdin=subprocess.DEVNULL,
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
try:
    for _ in range(200):
        if listens(port) or server.poll() is not None:
            break
        time.sleep(0.05)
    if server.poll() is not None:
        sys.exit("nginx ended: " + (folder / "error.log").read_text())
    environment = dict(
        os.environ,
        REMOTE=f"http://127.0.0.1:{port}",
        NOBODY=f"http://127.0.0.1:{nobody}",
    )
    status = subprocess.run(command, env=environment, check=False).returncode
finally:
    server.terminate()
    server.wait()
sys.exit(status)
