type TargetName = 'web' | 'agent' | 'product';

export type Target = {
  name: TargetName;
  /** Where the output lies, from the root of the tree. */
  folder: string;
  /** Files and folders that the output is made from. */
  sources: readonly string[];
  make: (root: string, outDir: string) => Promise<void>;
};

/** As deep as the sources of its programs, whose relative paths therefore hold in both. */
export const PRODUCT_FOLDER = 'stack/dist';
const SHARED_SOURCES = ['package-lock.json', 'tools/build'];

// The builders are loaded only to build: the bundler would stay in the memory of a server that only checks.
export const targets: readonly Target[] = [
  {
    name: 'web',
    folder: 'apps/web/dist',
    sources: ['apps/web', 'packages/contract', 'packages/base', ...SHARED_SOURCES],
    make: async (root, outDir) => (await import('./build-web.ts')).buildWeb(root, outDir),
  },
  {
    name: 'agent',
    folder: 'apps/agent/dist',
    sources: ['apps/agent/src', 'apps/agent/package.json', 'packages', ...SHARED_SOURCES],
    make: async (root, outDir) => (await import('./build-agent.ts')).buildAgent(root, outDir),
  },
  {
    name: 'product',
    folder: PRODUCT_FOLDER,
    sources: ['apps/server', 'apps/relay', 'apps/gateway', 'apps/agent/src', 'stack', 'packages', ...SHARED_SOURCES],
    make: async (root, outDir) => (await import('./build-product.ts')).buildProduct(root, outDir),
  },
];
