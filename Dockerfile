# The portal and the sandbox on a small Debian, to try them. The image to serve with is cmd/portal/image/Containerfile.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go build -trimpath -ldflags="-s -w" -o /out/portal ./cmd/portal \
 && go build -trimpath -ldflags="-s -w" -o /out/sandbox ./cmd/sandbox

FROM debian:bookworm-slim
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /usr/local/go/lib/time/zoneinfo.zip /usr/share/zoneinfo.zip
COPY --from=build /out/portal /out/sandbox /usr/local/bin/
RUN useradd --system --uid 10001 --home-dir /data --create-home hearthline && chmod 700 /data
USER hearthline
VOLUME /data
EXPOSE 8443
# TLS comes from PORTAL_TLS_CERT_FILE and PORTAL_TLS_KEY_FILE, or from a proxy in front
# with an https PORTAL_BASE_URL. internal/config/SETTINGS.md lists the settings. Mount the key-encryption key where
# PORTAL_KEK_FILE says: the portal does not serve with one in its data folder.
ENV PORTAL_ADDR=0.0.0.0:8443 PORTAL_KEK_FILE=/run/secrets/kek PORTAL_LOG_FORMAT=json ZONEINFO=/usr/share/zoneinfo.zip
ENTRYPOINT ["portal", "--data", "/data"]
CMD ["serve"]
