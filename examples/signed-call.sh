#!/usr/bin/env bash
# Calls Headroom as an application, with curl and openssl: POST with a body, GET without.
#   HEADROOM_APP_ID=shop HEADROOM_SECRET=hrs_… examples/signed-call.sh URL [JSON]
# For trying things out: other users of the machine can see the secret while openssl runs.
set -euo pipefail
url=$1
body=${2-}
target=/${url#*://*/} # what follows the host: path and query
sha256() { openssl dgst -sha256 -binary "$@" | openssl base64 -A; }

names='"@method" "@path"'
base="\"@method\": $([ $# -gt 1 ] && echo POST || echo GET)"$'\n'"\"@path\": ${target%%\?*}"$'\n'
case $target in *\?*)
  names+=' "@query"' base+="\"@query\": ?${target#*\?}"$'\n' ;;
esac
if [ $# -gt 1 ]; then
  digest="sha-256=:$(printf '%s' "$body" | sha256):"
  names+=' "content-digest"' base+="\"content-digest\": $digest"$'\n'
  set -- -X POST --data-raw "$body" -H "Content-Digest: $digest"
else
  set --
fi
input="($names);created=$(date +%s);keyid=\"$HEADROOM_APP_ID\";nonce=\"$(openssl rand -hex 16)\""
signature=$(printf '%s"@signature-params": %s' "$base" "$input" | sha256 -hmac "$HEADROOM_SECRET")

curl -sS "$url" -w ' %{http_code}\n' -H 'Content-Type: application/json' \
  -H "Signature-Input: hr=$input" -H "Signature: hr=:$signature:" "$@"
