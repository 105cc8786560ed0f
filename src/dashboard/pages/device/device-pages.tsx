/** What the confirmation of a program's code looks like: pages without navigation, without scripts. */
import type { Child } from "hono/jsx";
import type { OpenDeviceGrant } from "../../../workspace/accounts/tables/device-grants.ts";
import type { Membership } from "../../../workspace/accounts/tables/scope.ts";
import { Select, TextField } from "../../components/fields.tsx";
import { PlainPage } from "../../components/frame/plain-page.tsx";
import { unknownAddress } from "../../../workspace/address/address.ts";
import type { Theme } from "../../shared/page-context.ts";

/** Asks for the code. `fault`: what was wrong with the last one. */
export function CodePage({ theme, fault }: { theme: Theme; fault?: string }) {
  const error = fault === undefined ? undefined : { field: "code", message: fault };
  return (
    <PlainPage theme={theme} title="Sign in a program">
      <form method="get" action="/dashboard/device">
        <TextField
          name="code"
          label="Code"
          placeholder="XXXX-XXXX"
          hint="The program on your machine shows it."
          autocomplete="off"
          required
          autofocus
          error={error}
        />
        <button type="submit" class="primary wide">
          Continue
        </button>
      </form>
    </PlainPage>
  );
}

interface ConfirmDeviceProps {
  theme: Theme;
  /** Who confirms. */
  email: string;
  device: OpenDeviceGrant;
  /** Where they may have keys. */
  workspaces: readonly Membership[];
  chosen: string | undefined;
}

/** Shows who asks, and lets the person decide. Nothing happens without one of the buttons. */
export function ConfirmDevicePage(props: ConfirmDeviceProps) {
  const { theme, email, device, workspaces, chosen } = props;
  return (
    <PlainPage theme={theme} title="Sign in a program">
      <p>
        A program wants to act on your behalf. Confirm only if you just started it yourself and it
        shows this code:
      </p>
      <DeviceFacts device={device} email={email} />
      <form method="post" action="/dashboard/device">
        <input type="hidden" name="code" value={device.code} />
        <WorkspaceChoice workspaces={workspaces} chosen={chosen} />
        <div class="buttons">
          {chosen === undefined ? null : (
            <button type="submit" name="verdict" value="confirm" class="primary">
              Confirm
            </button>
          )}
          <button type="submit" name="verdict" value="deny">
            Deny
          </button>
        </div>
      </form>
    </PlainPage>
  );
}

function DeviceFacts({ device, email }: { device: OpenDeviceGrant; email: string }) {
  const { code, agent, address, created } = device;
  return (
    <dl class="facts small-facts">
      <Fact name="Code">
        <strong>{code}</strong>
      </Fact>
      <Fact name="Program">{agent === "" ? "unknown" : agent}</Fact>
      <Fact name="Requested from">{address === unknownAddress ? "unknown address" : address}</Fact>
      <Fact name="Requested at">{`${new Date(created).toISOString().slice(11, 19)} UTC`}</Fact>
      <Fact name="Signed in as">{email}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function WorkspaceChoice({
  workspaces,
  chosen,
}: Pick<ConfirmDeviceProps, "workspaces" | "chosen">) {
  const [only] = workspaces;
  if (only === undefined)
    return (
      <p class="fault">You can't have keys in any workspace. Ask an owner to make you a member.</p>
    );
  if (workspaces.length === 1)
    return (
      <>
        <input type="hidden" name="workspace" value={only.workspace} />
        <p>
          It will act in the workspace <strong>{only.name}</strong>.
        </p>
      </>
    );
  const options = workspaces.map(({ workspace, name }) => ({ value: workspace, label: name }));
  return <Select name="workspace" label="Workspace" value={chosen} options={options} />;
}

/** What was decided. */
export function DeviceDonePage({
  theme,
  verdict,
}: {
  theme: Theme;
  verdict: "approved" | "denied";
}) {
  const [title, text] =
    verdict === "approved"
      ? ["Signed in", "Go back to the program. It continues within a few seconds."]
      : [
          "Denied",
          "The program was not signed in. If you did not start it, you don't need to do anything else.",
        ];
  return (
    <PlainPage theme={theme} title={title}>
      <p role="status">{text}</p>
      <p>
        <a class="button" href="/dashboard">
          Open the dashboard
        </a>
      </p>
    </PlainPage>
  );
}

/** For those who came with an administrator's token: programs work in the name of people. */
export function NoPersonPage({ theme, login }: { theme: Theme; login: string }) {
  return (
    <PlainPage theme={theme} title="Sign in a program">
      <p>
        You are signed in with an administrator's token. A program works in the name of a person:
        sign in as yourself first.
      </p>
      <p>
        <a class="button primary" href={login}>
          Sign in as yourself
        </a>
      </p>
    </PlainPage>
  );
}
