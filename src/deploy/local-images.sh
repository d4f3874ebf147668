#!/bin/bash
# Makes the images that compose.yaml needs from Debian's packages, where no image registry can be reached:
#
#   postgres:18 redis:8     not made here: load them (../shared/docker/images.sh is run if it exists)
#   palmares-jre:17         Debian's openjdk-17-jre-headless: RUNTIME of the Dockerfile
#   prom/prometheus:latest  Debian's prometheus, at the paths of the official image: start compose.yaml with
#                           PROMETHEUS_TAG=latest
#
# An image that exists is left as it is. Root is needed. Grafana is not in Debian: leave its profile out.
set -euo pipefail
cd "$(dirname "$0")/../.."

for images in ../shared/docker/images.sh ../../shared/docker/images.sh; do
  [ ! -x "$images" ] || "$images" >/dev/null
done
docker info >/dev/null || { echo "no Docker engine answers: start one" >&2; exit 1; }
missing() {
  ! docker image inspect "$1" >/dev/null 2>&1
}
if missing palmares-jre:17 || missing prom/prometheus:latest; then
  command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq debootstrap; }
  root=$(mktemp -d)
  trap 'if mountpoint -q "$root/proc"; then umount "$root/proc"; fi; rm -rf --one-file-system "$root"' EXIT
  debootstrap --variant=minbase \
    --include=openjdk-17-jre-headless,ca-certificates-java,prometheus,tzdata bookworm "$root" \
    >"${TMPDIR:-/tmp}/local-images.log" 2>&1 || { tail -n 20 "${TMPDIR:-/tmp}/local-images.log" >&2; exit 1; }
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
fi
if missing palmares-jre:17; then
  # Java finds its libraries by /proc.
  mount -t proc proc "$root/proc"
  chroot "$root" java -Xshare:dump >/dev/null
  umount "$root/proc"
  rm -rf "$root"/tmp/*
  tar -C "$root" --exclude=./usr/bin/prom* -c . | docker import \
    -c 'ENV LANG=C.UTF-8' -c 'CMD ["java", "-version"]' - palmares-jre:17 >/dev/null
fi
if missing prom/prometheus:latest; then
  mkdir -p "$root/prometheus" && chown 65534:65534 "$root/prometheus"
  # /bin is a link to /usr/bin.
  for program in prometheus promtool; do
    [ -x "$root/bin/$program" ] || { echo "Debian's package prometheus has no /bin/$program" >&2; exit 1; }
  done
  tar -C "$root" --exclude=./usr/lib/jvm -c . | docker import \
    -c 'USER nobody' -c 'WORKDIR /prometheus' -c 'EXPOSE 9090' -c 'ENTRYPOINT ["/bin/prometheus"]' \
    -c 'CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]' \
    - prom/prometheus:latest >/dev/null
fi
docker image ls --format '{{.Repository}}:{{.Tag}} {{.Size}}' | grep -E '^(postgres:18|redis:8|palmares-jre:17|prom/prometheus:latest) '
