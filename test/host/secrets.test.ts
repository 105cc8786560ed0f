import { describe, expect, it } from "vitest";
import { chooseSecrets, type SecretPlaces } from "../../scripts/host/state/secrets.ts";

const empty: SecretPlaces = {
  environment: {},
  devVars: {},
  state: {},
  used: false,
  renew: false,
  cloud: false,
};

/** The outcome of a start that has its secrets. */
function chosen(places: Partial<SecretPlaces>) {
  const outcome = chooseSecrets({ ...empty, ...places });
  if ("missing" in outcome) throw new Error(`missing: ${outcome.missing.join(", ")}`);
  return outcome;
}

const both = (text: string) => ({ ADMIN_TOKEN: `token-${text}`, ENCRYPTION_KEY: `key-${text}` });

describe("secrets of a start", () => {
  it("are looked for in the environment, then in .dev.vars, then with the state", () => {
    const places = { environment: both("e"), devVars: both("d"), state: both("s"), used: true };
    expect(chosen(places).values).toEqual(both("e"));
    expect(chosen({ ...places, environment: {} }).values).toEqual(both("d"));
    expect(chosen({ ...places, environment: {}, devVars: {} }).values).toEqual(both("s"));
    const mixed = chosen({ environment: { ADMIN_TOKEN: "mine" }, state: both("s"), used: true });
    expect(mixed.values).toEqual({ ...both("s"), ADMIN_TOKEN: "mine" });
    expect(mixed.origins).toEqual({ ADMIN_TOKEN: "environment", ENCRYPTION_KEY: "state" });
  });

  it("are made for an unused state, and kept with it", () => {
    const made = chosen({});
    expect(made.toKeep).toEqual(made.values);
    expect(Buffer.from(made.values.ENCRYPTION_KEY ?? "", "base64")).toHaveLength(32);
    expect(made.values.ADMIN_TOKEN).toMatch(/^[\w-]{43}$/);
  });

  it("are never made for a used state, unless the user asks for new ones", () => {
    expect(chooseSecrets({ ...empty, used: true })).toEqual({
      missing: ["ADMIN_TOKEN", "ENCRYPTION_KEY"],
    });
    const environment = { ADMIN_TOKEN: "mine", ENCRYPTION_KEY: "" };
    expect(chooseSecrets({ ...empty, environment, used: true })).toEqual({
      missing: ["ENCRYPTION_KEY"],
    });
    const renewed = chosen({ state: { ADMIN_TOKEN: "mine" }, used: true, renew: true });
    expect(renewed.values.ADMIN_TOKEN).toBe("mine");
    expect(renewed.toKeep).toEqual({ ENCRYPTION_KEY: renewed.values.ENCRYPTION_KEY });
  });

  it("are never made in cloud mode, where one that is missing stays so", () => {
    expect(chosen({ cloud: true })).toMatchObject({ values: {}, toKeep: {} });
    const environment = { ENCRYPTION_KEY: "mine" };
    expect(chosen({ environment, cloud: true, used: true }).values).toEqual(environment);
  });

  it("of .dev.vars are kept with a state that has none, those of the environment never", () => {
    expect(chosen({ devVars: both("d"), used: true }).toKeep).toEqual(both("d"));
    expect(chosen({ environment: both("e"), used: true }).toKeep).toEqual({});
    expect(chosen({ devVars: both("d"), state: both("s"), used: true }).toKeep).toEqual({});
  });

  it("that differ from those of the state are named; a rotation's list with the old key is not", () => {
    const state = both("s");
    expect(chosen({ devVars: both("d"), state }).differing).toEqual([
      "ADMIN_TOKEN",
      "ENCRYPTION_KEY",
    ]);
    expect(chosen({ devVars: state, state }).differing).toEqual([]);
    const rotating = { ENCRYPTION_KEY: "key-new, key-s" };
    expect(chosen({ environment: rotating, state }).differing).toEqual([]);
    const done = { ENCRYPTION_KEY: "key-new" };
    expect(chosen({ environment: done, state }).differing).toEqual(["ENCRYPTION_KEY"]);
  });
});
