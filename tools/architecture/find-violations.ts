import path from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult, type IModule } from 'dependency-cruiser';
import { architectureRules } from './rules.ts';
import { teachVisitorUsingDeclarations } from './swc-using.ts';

type Violation = { rule: string; from: string; to: string; comment: string };
export type ArchitectureReport = { moduleCount: number; dependencyCount: number; violations: Violation[] };

const WORKSPACE = /^((?:apps|packages)\/[^/]+|stack|[^/]+)\//;

/**
 * Reads every import under `folders` of the tree at `root` and checks it against the rules.
 * NOTE: dependency-cruiser uses the current folder, which must be `root`.
 */
export async function findViolations(root: string, folders: readonly string[]): Promise<ArchitectureReport> {
  teachVisitorUsingDeclarations();
  const { output } = await cruise([...folders], cruiseOptions(root));
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text instead of a result');
  return {
    moduleCount: output.modules.filter(({ source }) => folders.some((folder) => source.startsWith(`${folder}/`)))
      .length,
    dependencyCount: output.summary.totalDependenciesCruised ?? 0,
    violations: [...ruleViolations(output), ...output.modules.flatMap(relativeImportsOfOthers)],
  };
}

function cruiseOptions(root: string): ICruiseOptions {
  return {
    baseDir: root,
    // With TypeScript 7 there is no compiler API to parse with, and dependency-cruiser then passes on zero modules.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^((apps|packages)/[^/]+|stack)/(dist|node_modules)/', '^e2e/output/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.css', '.svg'],
    },
    validate: true,
    ruleSet: { forbidden: [...architectureRules] },
  };
}

function ruleViolations(result: ICruiseResult): Violation[] {
  const comments = new Map(architectureRules.map((rule) => [rule.name, rule.comment]));
  return result.summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: cycle ? cycle.map((step) => step.name).join(' → ') : to,
    comment: comments.get(rule.name) ?? '',
  }));
}

/** A relative import of another workspace would bypass the exports of its package.json. */
function relativeImportsOfOthers(module: IModule): Violation[] {
  return module.dependencies
    .filter(
      (dependency) => dependency.module.startsWith('.') && crossesIntoWorkspace(module.source, dependency.resolved),
    )
    .map((dependency) => ({
      rule: 'other-workspaces-by-name',
      from: module.source,
      to: path.normalize(dependency.resolved),
      comment: 'import another workspace by its package name',
    }));
}

function crossesIntoWorkspace(from: string, to: string): boolean {
  if (from.startsWith('tools/')) return false; // the tools work on the tree itself
  const target = WORKSPACE.exec(to)?.[1];
  return target !== undefined && /^(apps|packages|stack)/.test(target) && target !== WORKSPACE.exec(from)?.[1];
}
