import { AppError, endpoints } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from './problem.ts';

const programPrefixes = ['/api/', '/custom/', '/ip/', '/captcha/', '/internal/', '/agent/'];

// One line for each path of the contract, so that a wrong method is told from a wrong path.
const knownPaths = Object.keys(endpoints).map((key) => {
  const [method = '', path = ''] = key.split(' ');
  return { method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`) };
});

/** Programs get problem details, people a small page; the console itself never stands in for a missing path. */
export function useNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((req, reply) => {
    const path = req.url.split('?', 1)[0] ?? '';
    if (!programPrefixes.some((prefix) => `${path}/`.startsWith(prefix))) {
      return reply.code(404).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(notFoundPage);
    }
    const methods = knownPaths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) return sendProblem(new AppError('request.not-found'), req, reply);
    reply.header('allow', [...new Set(methods)].join(', '));
    return sendProblem(new AppError('request.method-not-allowed'), req, reply);
  });
}

const notFoundPage = `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>通途 - 页面不存在</title>
<style>
  :root { color-scheme: light dark; background: Canvas; color: CanvasText }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.7 system-ui, sans-serif }
  main { padding: 24px; text-align: center }
  h1 { margin: 0 0 8px; font-size: 20px }
</style>
<main><h1>没有找到这个页面</h1><p>请检查地址是否输入完整。</p><p><a href="/">返回控制台</a></p></main>
</html>
`;
