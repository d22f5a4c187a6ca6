"""The linked view as a component of Streamlit."""
