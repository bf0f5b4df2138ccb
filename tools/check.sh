#!/usr/bin/env bash
# Builds everything and runs all tests. Ends with one line: N passed, N failed.
#
#   tools/check.sh [FILTER]     FILTER: a regular expression over test names

# shellcheck source=tools/build.sh
. "$(dirname "${BASH_SOURCE[0]}")/build.sh"

fly_install_packages
fly_configure
fly_compile all fly-test-depends

fly_say "tests: lit build/test ${1:+--filter=$1}"
report=$fly_build/test-report.json
rm -f "$report"
lit=$(sed -n 's/^FLY_LIT:FILEPATH=//p' "$fly_build/CMakeCache.txt")
"$lit" -s -v -j"${FLY_JOBS:-2}" --timeout 600 --output "$report" \
  ${1:+--filter="$1"} "$fly_build/test" "$fly_build/test/unit" || true

# The counts come from the report that lit wrote, one entry a test.
"$(fly_python)" - "$report" <<'PY'
import json
import sys

try:
    tests = json.load(open(sys.argv[1]))["tests"]
except (OSError, ValueError, KeyError):
    print("0 passed, 1 failed")
    sys.exit(1)
passed = sum(t["code"] in ("PASS", "FLAKYPASS", "XFAIL") for t in tests)
skipped = sum(t["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") for t in tests)
failed = len(tests) - passed - skipped
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or not passed else 0)
PY
