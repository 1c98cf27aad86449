#!/usr/bin/env bash
# Calls Headroom as an application, with curl and openssl: POST with a body, GET without.
#   HEADROOM_APP_ID=shop HEADROOM_SECRET=hrs_… examples/signed-call.sh URL [JSON]
# For trying things out: other users of the machine can see the secret while openssl runs.
set -euo pipefail
url=$1
method=$([ $# -gt 1 ] && echo POST || echo GET)
body=${2-}
target=/${url#*://*/} # what follows the host: path and query
timestamp=$(date +%s)

sha256() { openssl dgst -sha256 -r "$@" | cut -d' ' -f1; }
body_hash=$(printf '%s' "$body" | sha256)
signature=v1=$(printf 'v1\n%s\n%s\n%s\n%s' "$timestamp" "$method" "$target" "$body_hash" |
  sha256 -hmac "$HEADROOM_SECRET")

set --
[ "$method" = GET ] || set -- --data-raw "$body"
curl -sS -X "$method" "$url" -w ' %{http_code}\n' -H 'Content-Type: application/json' \
  -H "X-App-Id: $HEADROOM_APP_ID" -H "X-Timestamp: $timestamp" -H "X-Signature: $signature" "$@"
