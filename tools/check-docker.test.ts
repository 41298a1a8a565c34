import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findDockerProblems } from './checks/find-docker-problems.ts';

const root = path.join(import.meta.dirname, '..');

test('the Dockerfile and the compose files fit the tree', () => {
  expect(findDockerProblems(root)).toEqual([]);
});

test('a missing workspace, an image for root and an unknown setting are found', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'docker-'));
  try {
    for (const name of ['package.json', 'docker', 'docs/configuration.md'])
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
    cpSync(path.join(root, 'stack/package.json'), path.join(copy, 'stack/package.json'));
    writeFileSync(
      path.join(copy, 'Dockerfile'),
      dockerfile.replace(/^COPY stack\/package.*\n/m, '').replace('USER 10001:10001', 'USER root'),
    );
    const compose = path.join(copy, 'docker/compose.yaml');
    writeFileSync(compose, readFileSync(compose, 'utf8').replace('ACME_EMAIL:', 'ACME_MAIL:'));
    const problems = findDockerProblems(copy);
    expect(problems).toContain('Dockerfile does not copy stack/package.json before npm ci');
    expect(problems).toContain('Dockerfile: agent runs as root');
    expect(problems).toContain('docker/compose.yaml: ACME_MAIL is no setting');
  } finally {
    rmSync(copy, { recursive: true });
  }
});
