# start.sh: the commands of the quick start. Run them one by one, in a new folder.
curl -O https://desk.example/help/crm/files/hearthline.mjs -O https://desk.example/help/crm/files/server.mjs
node hearthline.mjs keys launch-key.pem

export PORT=8090 # where server.mjs listens, on 127.0.0.1
export ORIGIN=http://127.0.0.1:8090 # your origin
export HEARTHLINE_LAUNCH=https://desk.example/launch/jwt/acme # your launch URL
export HEARTHLINE_SECRETS="whsec_…" # your secret; two, separated by a space, while you replace it
node server.mjs
