# The pages and the JSON API in a container. Build: docker build -t heteronym .
# Run: see docs/api.md. The root file system may be read-only; /project keeps plan, decisions and releases.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml setup.py README.md LICENSE ./
COPY src src
RUN python -m venv /opt/heteronym && /opt/heteronym/bin/pip install --no-cache-dir .

FROM python:3.12-slim
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin heteronym \
 && install -d -o heteronym -g heteronym -m 700 /project
COPY --from=build /opt/heteronym /opt/heteronym
ENV PATH=/opt/heteronym/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 XDG_CACHE_HOME=/tmp/cache HOME=/tmp
USER heteronym
WORKDIR /project
VOLUME /project
EXPOSE 8765
# Other machines are served over TLS alone: mount the certificate and its key as /tls/cert.pem and /tls/key.pem.
ENTRYPOINT ["heteronym", "serve", "--no-browser", "--project", "/project", "--port", "8765", \
  "--host", "0.0.0.0", "--tls-cert", "/tls/cert.pem", "--tls-key", "/tls/key.pem"]
CMD ["--api"]
