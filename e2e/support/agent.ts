import { ChildGroup } from './child-group.ts';
import { freshFolder, productEnvironment, repository, type Product } from './product.ts';

export type Agent = { child: ChildGroup; stateDir: string };
export type AgentOptions = { token?: string; stateDir?: string; name?: string };

/** `npm run agent`, as on a user's device. Without a token it comes back as the device of its state folder. */
export async function startAgent(product: Product, options: AgentOptions): Promise<Agent> {
  const stateDir = options.stateDir ?? (await freshFolder('agent'));
  const args = ['--server', product.consoleUrl, '--state', stateDir];
  if (options.token !== undefined) args.push('--token', options.token);
  if (options.name !== undefined) args.push('--name', options.name);
  const child = new ChildGroup('npm', ['run', 'agent', '--', ...args], { cwd: repository, env: productEnvironment() });
  return { child, stateDir };
}
