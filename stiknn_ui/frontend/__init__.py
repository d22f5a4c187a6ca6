"""The browser code as components of Streamlit."""
