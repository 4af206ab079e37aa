// The encoding of integers in WebAssembly modules.

/** Returns the unsigned integer at an offset, and the offset of its end. */
export function readUnsigned(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) {
      return [value, at];
    }
  }
}

export function unsigned(value) {
  const bytes = [];
  do {
    bytes.push((value % 0x80) | (value >= 0x80 ? 0x80 : 0));
    value = Math.floor(value / 0x80);
  } while (value > 0);
  return Buffer.from(bytes);
}

/** Encodes a nonnegative number as a signed integer: bit 6 of the last byte is the sign. */
export function signed(value) {
  const bytes = unsigned(value);
  const last = bytes.at(-1);
  return last < 0x40 ? bytes : Buffer.concat([bytes.subarray(0, -1), Buffer.from([last | 0x80, 0])]);
}
