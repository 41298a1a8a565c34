import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.object({ target: z.string() }).optional(),
      environment: z.record(z.string(), z.unknown()).default({}),
      extends: z.object({ file: z.string(), service: z.string() }).optional(),
      volumes: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()).default({}),
});

type Stage = { name: string; lines: string[] };

/** What a build would trip over, without building: about the Dockerfile and the compose files of the tree at `root`. */
export function findDockerProblems(root: string): string[] {
  const stages = readStages(readFileSync(path.join(root, 'Dockerfile'), 'utf8'));
  // A generated page, whose own check compares it with the code: loading the settings themselves would take a second.
  const settings = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8').matchAll(/^\| `([A-Z_0-9]+)` \|/gm);
  const settingNames = new Set([...settings].map(([, name = '']) => name));
  const composeFiles = globSync('docker/compose*.yaml', { cwd: root }).toSorted();
  return [
    ...findMissingSources(root, stages),
    ...findMissingWorkspaces(root, stages),
    ...stages.slice(1).flatMap(findImageProblems),
    ...composeFiles.flatMap((file) => findComposeProblems(root, file, { stages, settingNames })),
  ];
}

/** Each with its instructions, continued lines joined. */
function readStages(text: string): Stage[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const name = /^FROM \S+ AS (\S+)$/.exec(line)?.[1];
    if (name !== undefined) stages.push({ name, lines: [] });
    else stages.at(-1)?.lines.push(line);
  }
  return stages;
}

function findMissingSources(root: string, stages: Stage[]): string[] {
  const copies = stages.flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith('COPY ') && !line.includes('--')),
  );
  const sources = copies.flatMap((line) => line.split(' ').slice(1, -1));
  return sources
    .filter((source) => !existsSync(path.join(root, source)))
    .map((source) => `Dockerfile copies ${source}`);
}

/** `npm ci` fails without the package.json of a workspace. */
function findMissingWorkspaces(root: string, stages: Stage[]): string[] {
  const { workspaces } = z
    .object({ workspaces: z.array(z.string()) })
    .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const copied = stages[0]?.lines.join('\n') ?? '';
  return globSync(
    workspaces.map((workspace) => `${workspace}/package.json`),
    { cwd: root },
  )
    .filter((file) => !copied.includes(`COPY ${file} `))
    .map((file) => `Dockerfile does not copy ${file} before npm ci`);
}

function findImageProblems({ name, lines }: Stage): string[] {
  const has = (instruction: RegExp) => lines.some((line) => instruction.test(line));
  return [
    ...(has(/^USER [1-9]\d*:[1-9]\d*$/) ? [] : [`Dockerfile: ${name} runs as root`]),
    ...(has(/^HEALTHCHECK /) ? [] : [`Dockerfile: ${name} has no HEALTHCHECK`]),
    ...(has(/^VOLUME /) ? [] : [`Dockerfile: ${name} has no VOLUME`]),
  ];
}

function findComposeProblems(
  root: string,
  file: string,
  { stages, settingNames }: { stages: Stage[]; settingNames: ReadonlySet<string> },
): string[] {
  const compose = Compose.safeParse(parse(readFileSync(path.join(root, file), 'utf8')));
  if (!compose.success) return [`${file}: ${z.prettifyError(compose.error)}`];
  const { services, volumes } = compose.data;
  return Object.entries(services).flatMap(([name, service]) => {
    const target = service.build?.target;
    const isServer = target === 'server' || service.extends !== undefined;
    const settings = isServer ? Object.keys(service.environment) : [];
    const named = service.volumes.map((volume) => volume.slice(0, volume.indexOf(':')));
    return [
      ...(target === undefined || stages.some((stage) => stage.name === target) ? [] : [`${file}: no stage ${target}`]),
      ...settings.filter((key) => !settingNames.has(key)).map((key) => `${file}: ${key} is no setting`),
      ...named.filter((volume) => !(volume in volumes)).map((volume) => `${file}: ${name} uses the volume ${volume}`),
    ];
  });
}
