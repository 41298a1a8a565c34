import { apacheProgram, startApache } from '@tongtu/gateway/testing/apache';
import { freshFolder } from '../support/product/product.ts';
import type { HomeService } from './service.ts';
import type { Visitor } from './visitor.ts';

/** Moving and copying name the new place with scheme and host, which mod_dav compares with its own. */
export const webdav: HomeService = webdavBy('http');
export const webdavByTls: HomeService = webdavBy('https');

const authorization = `Basic ${Buffer.from('user:Pass-1 word').toString('base64')}`;

function webdavBy(scheme: 'http' | 'https'): HomeService {
  return {
    name: scheme === 'http' ? 'Apache mod_dav' : 'Apache mod_dav by https',
    missing: apacheProgram === undefined ? 'apt-get install apache2' : undefined,
    async start() {
      const folder = await freshFolder('webdav');
      const apache = await startApache(folder, { login: 'Basic', tls: scheme === 'https' });
      return {
        target: `${scheme}://127.0.0.1:${apache.port}`,
        [Symbol.asyncDispose]: () => apache[Symbol.asyncDispose](),
      };
    },
    use,
  };
}

async function use(visitor: Visitor): Promise<void> {
  const to = (name: string) => ({ destination: `${visitor.origin}/dav/${name}`, overwrite: 'T' });
  await visitor.get(401, 'PROPFIND', '/dav/', { headers: { depth: '1' } });
  const file = `/dav/${encodeURIComponent('照片')}.txt`;
  await visitor.send('PUT', file, { headers: { authorization }, body: 'a file' });
  await visitor.get(200, 'GET', file, { headers: { authorization } });
  await visitor.send('COPY', file, { headers: { authorization, ...to('copy.txt') } });
  await visitor.get(204, 'MOVE', '/dav/copy.txt', { headers: { authorization, ...to(encodeURI('照片.txt')) } });
  const { text } = await visitor.get(207, 'PROPFIND', '/dav/', { headers: { authorization, depth: '1' } });
  if (text.includes('copy.txt')) throw new Error(`there is a copy: ${text}`);
}
