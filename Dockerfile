# The dashboard as a container: built once with the network, run without it.
#   docker build --tag stiknn . && docker run --read-only --tmpfs /tmp --publish 127.0.0.1:8501:8501 stiknn
FROM python:3.13-slim AS build
WORKDIR /build
RUN python -m venv /opt/stiknn
ENV PATH=/opt/stiknn/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements.txt ./
RUN pip install --require-hashes --requirement requirements.txt
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE app.py ./
COPY .streamlit/config.toml .streamlit/config.toml
COPY docs docs
COPY pages pages
COPY sample_data sample_data
COPY stiknn_command stiknn_command
COPY stiknn_core stiknn_core
COPY stiknn_ui stiknn_ui
COPY stiknn_view stiknn_view
RUN pip install --no-deps . && stiknn compile

FROM python:3.13-slim
RUN useradd --create-home --uid 1000 stiknn
COPY --from=build /opt/stiknn /opt/stiknn
ENV PATH=/opt/stiknn/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER stiknn
WORKDIR /home/stiknn
RUN mkdir .stiknn  # so that the volume is the user's
VOLUME /home/stiknn/.stiknn
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-c", \
    "import os, urllib.request as web; base = os.environ.get('STREAMLIT_SERVER_BASE_URL_PATH', '').strip('/'); web.urlopen('http://127.0.0.1:8501' + os.path.join('/', base, '_stcore/health'), timeout=4)"]
CMD ["stiknn", "--host", "0.0.0.0", "--port", "8501", "--no-browser"]
