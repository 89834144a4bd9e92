import { expect, it } from "vitest";
import { command, HELP } from "./keys";

it.each([
  ["ArrowRight", "next"],
  ["ArrowLeft", "previous"],
  ["]", "nextTrick"],
  ["[", "previousTrick"],
  ["ArrowDown", "nextDeal"],
  ["ArrowUp", "previousDeal"],
  ["Home", "first"],
  ["End", "last"],
  [" ", "play"],
  ["F", "rotate"],
  ["h", "reveal"],
  ["c", "copy"],
  ["?", "help"],
  ["Escape", "close"],
])("%s means %s", (key, meaning) => {
  expect(command({ key })).toBe(meaning);
});

it("steps by tricks with shift", () => {
  expect(command({ key: "ArrowRight", shiftKey: true })).toBe("nextTrick");
  expect(command({ key: "ArrowLeft", shiftKey: true })).toBe("previousTrick");
});

it("leaves the browser its own keys", () => {
  expect(command({ key: "c", ctrlKey: true })).toBeNull();
  expect(command({ key: "ArrowLeft", altKey: true })).toBeNull();
  expect(command({ key: "h", metaKey: true })).toBeNull();
  expect(command({ key: "x" })).toBeNull();
});

it("explains every key it obeys", () => {
  const explained = new Set(HELP.flatMap(([keys]) => keys));
  expect([...explained].sort()).toEqual(
    ["4", "?", "End", "Home", "Space", "[", "]", "c", "f", "h", "←", "↑", "→", "↓"].sort(),
  );
});
