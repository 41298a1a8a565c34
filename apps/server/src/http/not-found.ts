import { AppError } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.ts';

const programPrefixes = ['/api/', '/custom/', '/ip/', '/captcha/', '/internal/', '/agent/'];

/** One registered path, with parameters as `:name`, and its methods. */
type KnownPath = { path: string; isStatic: boolean; pattern: RegExp; methods: string[] };

/**
 * Answers requests that no route serves, before the body is read: with problem details on paths for programs, else with
 * a small page, never with the console. Call it before the routes and after the hooks whose headers these answers need.
 */
export function useNotFound(app: FastifyInstance): void {
  const knownPaths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = withoutSlash(url);
    const known = knownPaths.get(path) ?? describePath(path);
    knownPaths.set(path, known);
    known.methods.push(...[method].flat().filter((name) => !known.methods.includes(name)));
  });
  app.addHook('onRequest', async (req, reply) => {
    const requested = requestedPath(req);
    if (!req.is404) {
      // The router looks up the routes of one method. If a static path lacks the method, it finds a path with a parameter.
      const known = knownPaths.get(withoutSlash(requested));
      if (known?.isStatic && !known.methods.includes(req.method)) return refuseMethod(known, req, reply);
      return;
    }
    if (!programPrefixes.some((prefix) => `${requested}/`.startsWith(prefix))) {
      return reply.code(404).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(notFoundPage);
    }
    const known = findPath([...knownPaths.values()], withoutSlash(requested));
    return known ? refuseMethod(known, req, reply) : sendProblem(new AppError('request.not-found'), req, reply);
  });
  // Never reached, because the hook has answered. Without a handler Fastify would register its own.
  app.setNotFoundHandler((req, reply) => sendProblem(new AppError('request.not-found'), req, reply));
}

function describePath(path: string): KnownPath {
  const pattern = new RegExp(
    `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`,
  );
  return { path, isStatic: !path.includes(':'), pattern, methods: [] };
}

/** A static path wins over one with a parameter, as in the router. */
function findPath(paths: KnownPath[], requested: string): KnownPath | undefined {
  const found = paths.filter(({ pattern }) => pattern.test(requested));
  return found.find(({ isStatic }) => isStatic) ?? found[0];
}

/** The path as the router decodes it. */
function requestedPath({ is404, url, routeOptions, params }: FastifyRequest): string {
  if (is404) return decodePath(url.split(/[?#]/, 1)[0] ?? '');
  const values = params as Record<string, string>; // of the route's own parameters
  return (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '');
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Paths are the same with and without a slash at the end. */
function withoutSlash(path: string): string {
  return path.replace(/(.)\/$/, '$1');
}

function refuseMethod({ methods }: KnownPath, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('allow', methods.toSorted().join(', '));
  return sendProblem(new AppError('request.method-not-allowed'), req, reply);
}

const notFoundPage = `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>通途 - 页面不存在</title>
<style>
  /* The console's colours and fonts (apps/web/src/ui/theme/theme.css). */
  :root { color-scheme: light dark; --ground: #f3f6f8; --card: #fff; --ink: #15242b; --main: #0e7490 }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #0d1519; --card: #162127; --ink: #e9f1f4; --main: #30aac1 }
  }
  body {
    margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 20px; box-sizing: border-box;
    background: var(--ground); color: var(--ink);
    font: 14px/1.7 'PingFang SC', 'HarmonyOS Sans SC', 'MiSans', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', system-ui, sans-serif;
  }
  main { padding: 36px 32px; border-radius: 16px; background: var(--card); text-align: center; box-shadow: 0 12px 40px rgb(8 40 52 / 12%) }
  h1 { margin: 0 0 8px; font-size: 20px; font-weight: 600 }
  a { color: var(--main) }
</style>
<main><h1>没有找到这个页面</h1><p>请检查地址是否输入完整。</p><p><a href="/">返回控制台</a></p></main>
</html>
`;
