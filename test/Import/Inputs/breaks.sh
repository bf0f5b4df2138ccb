#!/bin/sh
# fly-import with an error in it: a line more.
(echo; cat "$1") > "$3"
