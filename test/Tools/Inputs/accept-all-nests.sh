#!/bin/sh
# fadiff-opt, but it accepts every nest that it is only asked to verify.
case "$*" in
  *--fadiff-materialize*) ;;
  *--fadiff-verify-schedule*) exit 0 ;;
esac
exec "$FADIFF_OPT" "$@"
