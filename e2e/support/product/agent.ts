import type { Device } from '@tongtu/contract';
import type { ApiClient } from '../clients/api-client.ts';
import { ChildGroup } from './child-group.ts';
import { freshFolder, nodeScript, productEnvironment, repository, type Product } from './product.ts';

export type Agent = { child: ChildGroup; stateDir: string };
export type AgentOptions = { token?: string; stateDir?: string; name?: string };

/** Starts what `npm run agent` runs, as on a user's device. Without a token it is the device of its state folder. */
export async function startAgent(product: Product, options: AgentOptions): Promise<Agent> {
  const stateDir = options.stateDir ?? (await freshFolder('agent'));
  const args = ['--server', product.consoleUrl, '--state', stateDir];
  if (options.name !== undefined) args.push('--name', options.name);
  // Not as an argument, which npm and the process list would show.
  const token = options.token === undefined ? {} : { TONGTU_TOKEN: options.token };
  const [command, words] = nodeScript('apps/agent/src/main.ts', args);
  const child = new ChildGroup(command, words, { cwd: repository, env: { ...productEnvironment(), ...token } });
  return { child, stateDir };
}

/** Starts an agent with a token and waits until its device is online. */
export async function enrolDevice(
  product: Product,
  client: ApiClient,
  options: { token: string; name: string },
): Promise<{ agent: Agent; device: Device }> {
  const agent = await startAgent(product, options);
  try {
    const device = await client.waitForDevice(options.name, ({ name, online }) => name === options.name && online);
    return { agent, device };
  } catch (cause) {
    await agent.child.kill();
    throw new Error(`the device did not come online:\n${agent.child.output}\n${product.child.output}`, { cause });
  }
}
