#!/bin/sh
# Lints the protocol and compares it with what was last promised: the newest release, or main where there is none.
# buf comes from npm (package.json beside this file).
set -eu
cd "$(dirname -- "$0")"
buf=$PWD/node_modules/.bin/buf

promised() {
    git describe --tags --match 'v*' --abbrev=0 2>/dev/null && return
    for ref in origin/main main HEAD; do
        if git rev-parse --quiet --verify "$ref:proto/kibitz" >/dev/null 2>&1; then
            echo "$ref"
            return
        fi
    done
}

"$buf" lint
ref=$(promised)
if [ -z "$ref" ]; then
    echo "proto/check.sh: no commit has a protocol to compare with, so buf breaking is skipped"
    exit
fi
old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
(cd .. && git archive "$ref" proto) | tar -x -C "$old"
"$buf" breaking --against "$old/proto"
echo "proto/check.sh: nothing breaks what $ref promises"
