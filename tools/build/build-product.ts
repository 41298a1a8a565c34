import path from 'node:path';
import { build, type Plugin } from 'vite';

/** Of the folder `stack/src`, each in a process of its own. */
const PROGRAMS = ['product', 'relay-process', 'gateway-process'];

/** They load machine code. */
const NATIVE_PACKAGES = ['@napi-rs/canvas', 'koffi', 'ssh2'];

/**
 * Builds server, relay and gateway into an empty folder beside `stack/src`, with the packages that they use. What they read
 * from files stays where it is: fonts, tables, migrations, worker threads, the binaries of PostgreSQL.
 */
export async function buildProduct(root: string, outDir: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepPlaces(root, outDir)],
    ssr: { noExternal: true, external: NATIVE_PACKAGES, target: 'node' },
    build: {
      outDir,
      emptyOutDir: false,
      reportCompressedSize: false,
      ssr: true,
      target: 'node24',
      // Stacks in logs name functions and lines that one can read.
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(PROGRAMS.map((name) => [name, path.join(root, 'stack/src', `${name}.ts`)])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Some packages count on being loaded after others: tsyringe after reflect-metadata.
          strictExecutionOrder: true,
        },
      },
    },
  });
}

/**
 * A source finds its files by `import.meta`, which in the bundle is that of the bundle: it is replaced by the place of the
 * source. Sources in `stack/src` itself are as deep as the bundle and see the bundle's place.
 */
function keepPlaces(root: string, outDir: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      const isOwn = id.endsWith('.ts') && !id.includes('/node_modules/');
      if (!isOwn || path.dirname(id) === path.join(root, 'stack/src') || !code.includes('import.meta.')) return;
      const source = path.relative(outDir, id).replaceAll(path.sep, '/');
      return code
        .replaceAll(
          'import.meta.dirname',
          `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(source)}`)})`,
        )
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`);
    },
  };
}
