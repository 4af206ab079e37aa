// What the page shows, kept in the fragment of its address, which browsers do not send.
import { samples } from "./samples.js";

/** Returns the state in the address, or the samples. */
export function readState(hash = globalThis.location?.hash ?? "") {
  try {
    const bytes = Uint8Array.from(atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return merged(samples, JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return structuredClone(samples); // no link, or a broken one
  }
}

/** Takes from a link only members that the page has, with their types. */
export function merged(known, given) {
  return Object.fromEntries(
    Object.entries(known).map(([name, value]) => {
      const other = given?.[name];
      if (typeof value === "object") {
        return [name, merged(value, other)];
      }
      return [name, typeof other === typeof value ? other : value];
    }),
  );
}

export function fragment(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  let text = "";
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return `#${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}
