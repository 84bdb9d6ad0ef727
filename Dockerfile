# README's two commands on a fresh Debian 12:
#   docker build -t fadiff . && docker run --rm fadiff
# builds FADiff and prints the demo's table; `docker run --rm fadiff scripts/test.sh` runs every test.
FROM debian:bookworm
COPY . /fadiff
WORKDIR /fadiff
RUN scripts/setup.sh
CMD ["scripts/demo.sh"]
