// Keeps the bytes of the newest contents; the view turns them into arrays.
export default function ({ data }) {
  if (!data) return;
  const id = new TextDecoder().decode(data.subarray(8, 24));
  const held = hub.contents.get(id);
  hub.contents.delete(id); // set again below: the newest stands last
  hub.contents.set(id, held ?? { bytes: data, parsed: null });
  while (hub.contents.size > 3) hub.contents.delete(hub.contents.keys().next().value);
  wake();
}
