import type { IForbiddenRuleType } from 'dependency-cruiser';
import { appLayers } from './layers.ts';

type Rule = IForbiddenRuleType & { name: string; comment: string };

const TESTS = String.raw`\.test\.tsx?$|/testing/`;
/** Ways out of the process: what must not reach them can be tested with bytes alone and runs anywhere. */
const IO_MODULES =
  '^(node:)?(net|tls|http|https|http2|dgram|dns|fs|child_process|worker_threads|cluster|timers|perf_hooks|os|process|readline)(/|$)';

function npm(...names: string[]): string {
  return `(^|/)node_modules/(${names.join('|')})(/|$)`;
}

/** The arrows: stack, e2e, bench → apps → packages/{contract,tunnel,frp} → packages/base. */
const layers: Rule[] = [
  {
    name: 'base-stands-alone',
    severity: 'error',
    comment: 'packages/base knows the language, node: and how addresses are written',
    from: { path: '^packages/base/src/', pathNot: TESTS },
    to: { pathNot: ['^packages/base/src/', npm('ipaddr.js')], dependencyTypesNot: ['core'] },
  },
  {
    name: 'packages-know-packages-below',
    severity: 'error',
    comment: 'contract, tunnel and frp use base and zod only',
    from: { path: '^packages/(contract|tunnel|frp)/src/', pathNot: TESTS },
    to: { pathNot: ['^packages/$1/src/', '^packages/base/src/', npm('zod')], dependencyTypesNot: ['core'] },
  },
  {
    name: 'packages-do-no-io',
    severity: 'error',
    comment: 'the contract is loaded by the browser; tunnel and frp are bytes in, bytes out',
    from: { path: '^packages/', pathNot: TESTS },
    to: { path: IO_MODULES },
  },
  {
    name: 'apps-never-sideways',
    severity: 'error',
    comment: 'an app reaches another one over the network',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
  },
  {
    name: 'arrows-point-down',
    severity: 'error',
    comment: 'nothing below knows what is built on it',
    from: { path: '^(apps|packages)/' },
    to: { path: '^(stack|e2e|bench|tools)/' },
  },
  {
    name: 'packages-know-no-app',
    severity: 'error',
    comment: 'nothing below knows what is built on it',
    from: { path: '^packages/' },
    to: { path: '^apps/' },
  },
  {
    name: 'stack-stands-on-apps',
    severity: 'error',
    comment: 'stack starts the apps; of the tools it may use the build only',
    from: { path: '^stack/' },
    to: { path: '^(e2e|bench|tools)/', pathNot: String.raw`^tools/build\.ts$` },
  },
  {
    name: 'nothing-uses-e2e-or-bench',
    severity: 'error',
    comment: 'tests and benchmarks are at the top',
    from: { pathNot: '^(e2e|bench)/' },
    to: { path: '^(e2e|bench)/' },
  },
];

const server: Rule[] = [
  {
    name: 'features-by-public-api',
    severity: 'error',
    comment: "a feature is used only through its index.ts, by other features and by the server's root",
    from: { path: '^apps/server/src/features/([^/]+)/' },
    to: {
      path: '^apps/server/src/features/',
      pathNot: ['^apps/server/src/features/$1/', String.raw`/features/[^/]+/index\.ts$`],
    },
  },
  {
    name: 'features-by-public-api-from-outside',
    severity: 'error',
    comment: "a feature is used only through its index.ts, by other features and by the server's root",
    from: { path: '^apps/server/', pathNot: '^apps/server/src/features/' },
    to: { path: '^apps/server/src/features/', pathNot: String.raw`/features/[^/]+/index\.ts$` },
  },
  {
    name: 'db-and-http-know-no-feature',
    severity: 'error',
    comment: 'the frame does not know what hangs in it',
    from: { path: '^apps/server/src/(db|http)/' },
    to: { path: '^apps/server/src/features/' },
  },
  {
    name: 'db-knows-no-http',
    severity: 'error',
    comment: 'the database layer serves HTTP, relays and jobs alike',
    from: { path: '^apps/server/src/db/', pathNot: TESTS },
    to: { path: '^apps/server/src/http/' },
  },
  {
    name: 'fastify-in-routes-only',
    severity: 'error',
    comment: 'rules are written without the HTTP framework: it belongs to *-routes.ts and http/',
    from: { path: '^apps/server/', pathNot: [String.raw`-routes\.ts$`, '^apps/server/src/http/', TESTS] },
    to: { path: npm('fastify', '@fastify', 'fastify-[^/]+') },
  },
  {
    name: 'sql-in-stores-only',
    severity: 'error',
    comment: 'SQL belongs to *-store.ts, db/ and migrations/',
    from: {
      path: '^apps/server/',
      pathNot: [String.raw`-store\.ts$`, '^apps/server/src/db/', '^apps/server/migrations/', TESTS],
    },
    to: { path: npm('kysely', 'pg') },
  },
  {
    name: 'migrations-import-no-app-code',
    severity: 'error',
    comment: 'a merged migration must mean the same for ever',
    from: { path: '^apps/server/migrations/' },
    to: { path: '^(apps|packages)/' },
  },
  {
    name: 'database-in-server-only',
    severity: 'error',
    comment: 'relay, gateway, agent and page never touch the database',
    from: { path: '^(apps/(relay|gateway|agent|web)|packages)/' },
    to: { path: npm('kysely', 'pg') },
  },
];

/** How a phone number is proven, a WeChat scanned and a password chosen. */
const LOGIN_PARTS = [
  '^apps/web/src/features/login/(phone/phone-code-fields|phone/phone-number|phone/use-phone-code|wechat/wechat-scan|wechat/wechat-note|forgotten-password/new-password-rule)[.]',
];

/** What of the contract the browser may load. */
const LOADS_NO_LIBRARY = [
  'cloud-apps/byte-names',
  'cloud-apps/media-types',
  'text-encoding/misread-latin1',
  'text-encoding/text-encodings',
  'text-encoding/vnc-password',
  'access/closed-because',
  'account/(common-passwords|password-weakness|sso-times)',
  'billing/key-text',
  'cloud-apps/(app-failures|app-kinds|download-links|file-names|mac-address|terminal-input)',
  'devices/lan-kinds',
  'mappings/known-services',
  'devices/offline-reasons',
  'limits',
  'mappings/mapping-options',
  'mappings/wildcard-domains',
  'messages/(errors|field-messages|hidden-characters)',
  'user-management/roles',
  'visit-reasons',
];

const web: Rule[] = [
  {
    name: 'web-features-by-route',
    severity: 'error',
    comment:
      'a feature of the page reaches another one by its route; any may ask for a captcha, a code, a proof of identity, an enrolment key or a login',
    from: { path: '^apps/web/src/features/([^/]+)/' },
    to: {
      path: '^apps/web/src/features/',
      pathNot: [
        '^apps/web/src/features/$1/',
        '^apps/web/src/features/captcha/(use|create)-[^/]+$',
        '^apps/web/src/features/(codes|confirm|enrolment-keys)/',
        ...LOGIN_PARTS,
        // The gate logs in where it is, without the console.
        String.raw`^apps/web/src/features/login/((passkey/passkey-login|password-form)\.tsx|(sign-in-methods|login-deps)\.ts)$`,
      ],
    },
  },
  {
    name: 'web-login-parts-for-account',
    severity: 'error',
    comment: 'the account screen binds sign-in methods with the parts of the login',
    from: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/(account|login)/' },
    to: { path: LOGIN_PARTS },
  },
  {
    name: 'web-ui-is-react-and-antd',
    severity: 'error',
    comment: 'ui/ knows React and Ant Design only, with the dates that its calendars take, and how to draw a QR code',
    from: { path: '^apps/web/src/ui/', pathNot: TESTS },
    to: {
      pathNot: [
        '^apps/web/src/ui/',
        npm('react', 'react-dom', 'antd', '@ant-design', 'dayjs', 'qrcode'),
        String.raw`\.(css|svg)$`,
      ],
    },
  },
  {
    name: 'web-takes-types-from-contract',
    severity: 'error',
    comment: 'zod and every schema would land in the bundle: only types, or what of the contract loads no library',
    from: { path: '^apps/web/src/', pathNot: TESTS },
    to: {
      path: '^packages/contract/',
      pathNot: LOADS_NO_LIBRARY.map((file) => String.raw`^packages/contract/src/${file}\.ts$`),
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'web-uses-no-tunnel',
    severity: 'error',
    comment: 'the page runs in a browser',
    from: { path: '^apps/web/src/', pathNot: TESTS },
    to: { path: '^packages/(tunnel|frp|base)/' },
  },
  {
    name: 'web-uses-no-node',
    severity: 'error',
    comment: 'the page runs in a browser',
    from: { path: '^apps/web/src/', pathNot: TESTS },
    to: { dependencyTypes: ['core'] },
  },
];

/** A layer is the files of its folder; a folder inside is a layer of its own. */
function layerPath(app: string, layer: string): string {
  return `^apps/${app}/src/${layer}/[^/]+$`;
}

function layersOf(app: string, names: readonly string[]): Rule[] {
  const paths = names.map((layer) => layerPath(app, layer));
  return [
    {
      name: `${app}-folders-have-a-layer`,
      severity: 'error',
      comment: 'tools/architecture/layers.ts says where a folder stands among the others',
      from: { path: `^apps/${app}/` },
      to: { path: `^apps/${app}/src/[^/]+/`, pathNot: [...paths, TESTS] },
    },
    ...names.map((layer, at): Rule => ({
      name: `${app}-${layer.replaceAll('/', '-')}-imports-downwards`,
      severity: 'error',
      comment: `${layer} imports the folders before it in tools/architecture/layers.ts, and no other`,
      from: { path: layerPath(app, layer), pathNot: TESTS },
      to: { path: `^apps/${app}/src/`, pathNot: paths.slice(0, at + 1) },
    })),
  ];
}

const inApps: Rule[] = Object.entries(appLayers).flatMap(([app, names]) => layersOf(app, names));

const everywhere: Rule[] = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'modules that need each other are one module',
    from: {},
    to: { circular: true },
  },
  {
    name: 'every-import-resolves',
    severity: 'error',
    comment: 'an arrow that leads nowhere cannot be checked',
    from: {},
    to: { couldNotResolve: true },
  },
];

export const architectureRules: readonly Rule[] = [...layers, ...server, ...web, ...inApps, ...everywhere];
