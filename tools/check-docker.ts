/** `node tools/check-docker.ts`: the Dockerfile and the compose files against the tree and the settings; 1 when any is wrong. */
import path from 'node:path';
import { findDockerProblems } from './checks/find-docker-problems.ts';

const problems = findDockerProblems(path.resolve(import.meta.dirname, '..'));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
