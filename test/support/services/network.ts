import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** Location of a process: its listening address, and the prefix that runs a command there. */
export interface Place {
  readonly address: string;
  readonly within: readonly string[];
}

export const thisMachine: Place = { address: '127.0.0.1', within: [] };

/**
 * Creates a network on this machine, to which this process belongs as well: a bridge, and a network namespace
 * for each place that joins. Needs root and iproute2.
 */
export async function openNetwork() {
  const bridge = `stp${process.pid.toString(36)}`;
  const subnet = `10.${77 + (process.pid % 100)}.${process.pid % 251}`;
  const members: { readonly number: number; readonly namespace: string | undefined }[] = [];
  await ip(
    `link add ${bridge} address ${macOf(1)} type bridge`,
    `addr add ${subnet}.1/24 dev ${bridge}`,
    `link set ${bridge} up`,
  );
  members.push({ number: 1, namespace: undefined });

  /** Sets permanent ARP entries on all members, so that none detects through ARP that another is cut off. */
  async function introduce(): Promise<void> {
    const lines = members.flatMap((one) => {
      const [prefix, device] = one.namespace === undefined ? ['', bridge] : [`-n ${one.namespace} `, 'eth0'];
      return members
        .filter((other) => other !== one)
        .map(
          ({ number }) =>
            `${prefix}neigh replace ${subnet}.${number} lladdr ${macOf(number)} dev ${device} nud permanent`,
        );
    });
    await ip(...lines);
  }

  return {
    /**
     * Adds a place to the network.
     * @param name at most eight letters and digits, unique in the network
     */
    async join(name: string) {
      const number = members.length + 1;
      const namespace = `${bridge}-${name}`;
      const cable = `${bridge}v${number}`;
      await ip(
        `netns add ${namespace}`,
        `link add ${cable} type veth peer name eth0 address ${macOf(number)} netns ${namespace}`,
        `-n ${namespace} addr add ${subnet}.${number}/24 dev eth0`,
        `-n ${namespace} link set lo up`,
        `-n ${namespace} link set eth0 up`,
        `link set ${cable} master ${bridge} up`,
      );
      members.push({ number, namespace });
      await introduce();
      const within: readonly [string, ...string[]] = ['ip', 'netns', 'exec', namespace];
      return {
        address: `${subnet}.${number}`,
        within,
        /** Drops every packet from and to this place without telling any peer. */
        cut: async () => await ip(`link set ${cable} nomaster`),
        mend: async () => await ip(`link set ${cable} master ${bridge}`),
        /** Bytes that this place has sent and received so far, including the overhead of protocols. */
        async traffic() {
          // The bytes that the bridge's end receives were sent by the place.
          const [sent, received] = await Promise.all(
            ['rx', 'tx'].map(async (way) => await bytesOf(cable, way)),
          );
          return { sent: sent ?? 0, received: received ?? 0 };
        },
      };
    },
    async [Symbol.asyncDispose]() {
      const namespaces = members.flatMap(({ namespace }) => namespace ?? []);
      await ip(...namespaces.map((namespace) => `netns del ${namespace}`), `link del ${bridge}`);
    },
  };
}

async function bytesOf(device: string, way: string): Promise<number> {
  return Number(await readFile(`/sys/class/net/${device}/statistics/${way}_bytes`, 'utf8'));
}

function macOf(number: number): string {
  return `02:00:00:00:00:${number.toString(16).padStart(2, '0')}`;
}

/**
 * Runs commands of `ip` in turn.
 * @throws {Error} with the message of the first that fails
 */
async function ip(...lines: readonly string[]): Promise<void> {
  for (const line of lines) await runIp(line.split(' '));
}

async function runIp(args: readonly string[]): Promise<void> {
  const child = execFile('ip', [...args]);
  let said = '';
  child.stderr?.on('data', (text: string) => (said += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${said.trim()} (it needs root and iproute2)`);
}
