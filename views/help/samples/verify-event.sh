# verify-event.sh: the signature of an event that is stored in body.json, with openssl.
# ID and TIME are its headers webhook-id and webhook-timestamp. SECRET begins with whsec_.
key=$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
{ printf %s "$ID.$TIME."; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A | sed 's/^/v1,/'
