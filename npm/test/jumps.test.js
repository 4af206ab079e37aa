// The build makes the jumps of the module direct, and changes nothing else.
import assert from "node:assert/strict";
import test from "node:test";
import { direct } from "../scripts/jumps.js";

const [block, loop, iff, end, br, brIf, brTable, leave, get, set, number, none] =
  [0x02, 0x03, 0x04, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x20, 0x21, 0x41, 0x40];
const jump = (to, depth) => [number, to, set, 0, br, depth];

/** Returns a function with two blocks, as the Go compiler makes it, of which the first has some code. */
const twoBlocks = (first) => [
  0, loop, none, block, none, block, none,
  get, 0, brTable, 1, 0, 1,
  end, ...first, number, 7, leave,
  end, number, 42, leave, ...jump(0, 0), // a jump back
  end, 0x00, end,
];

const codeOf = (body) => Buffer.from([1, body.length, ...body]);
const section = (id, bytes) => [id, bytes.length, ...bytes];

/** Returns what the function of a code section returns for a number. */
function run(code, argument) {
  const module = new WebAssembly.Module(new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7f]), ...section(3, [1, 0]), ...section(7, [1, 1, 0x66, 0, 0]), ...section(10, [...code]),
  ]));
  return new WebAssembly.Instance(module).exports.f(argument);
}

for (const [name, first, want] of [
  ["a jump", jump(1, 1), [br, 0]],
  ["a jump on a condition", [number, 1, iff, none, ...jump(1, 2), end], [number, 1, brIf, 0]],
  ["a jump among others on a condition", [number, 1, iff, none, 0x01, ...jump(1, 2), end], [number, 1, iff, none, 0x01, br, 1, end]],
  ["no jump", [0x01], [0x01]],
]) {
  test(`${name} to a block further down`, () => {
    const before = codeOf(twoBlocks(first));
    const after = direct(before);
    assert.deepEqual([...after], [...codeOf(twoBlocks(want))]);
    for (const argument of [0, 1]) {
      assert.equal(run(after, argument), run(before, argument));
    }
  });
}

test("a function that reads the number of the block elsewhere stays as it is", () => {
  const before = codeOf(twoBlocks([get, 0, 0x1a, ...jump(1, 1)]));
  assert.deepEqual(direct(before), before);
});

test("an unknown instruction is an error", () => {
  assert.throws(() => direct(codeOf([0, 0xfd, 0, end])), /an instruction that is not known: fd/);
});
