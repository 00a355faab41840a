#!/bin/sh
# Installs Debian's Chromium for the browser tests. Needs root, or sudo.
set -eu
run=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Chromium is missing: install the package 'chromium' as root." >&2; exit 3; }
    run=sudo
fi
$run apt-get update -qq
DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends chromium fonts-inter >/dev/null
