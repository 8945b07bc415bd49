FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
RUN pip install --no-cache-dir build && python -m build --wheel --outdir /dist

FROM python:3.11-slim
LABEL org.opencontainers.image.title="uaeval" org.opencontainers.image.licenses="Apache-2.0"
COPY constraints.txt /tmp/constraints.txt
COPY --from=build /dist/*.whl /tmp/
RUN pip install --no-cache-dir --constraint /tmp/constraints.txt /tmp/*.whl && rm /tmp/*.whl /tmp/constraints.txt \
    && useradd --create-home --uid 1000 uaeval && mkdir /data && chown uaeval /data
USER uaeval
WORKDIR /data
ENTRYPOINT ["uaeval"]
CMD ["--help"]
