import { AppError, type FrpcAccount, type FrpcConfiguration } from '@tongtu/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mount } from '../../http/mount.ts';
import type { FrpcAddress } from './choose-frpc-address.ts';
import { accountTexts, configurationTexts } from './configuration-texts.ts';
import { type FrpcAccountIdentity, readFrpcAccount, rotateFrpcAccount } from './frpc-account.ts';
import {
  createFrpcDevice,
  type FrpcDevicesDeps,
  type FrpcIdentity,
  readFrpcIdentity,
  rotateFrpcToken,
} from './frpc-devices.ts';

export type FrpcDeviceRoutesDeps = FrpcDevicesDeps & {
  /**
   * Where frpc reaches a relay; `consoleHost`: the name by which the caller has reached the console. Undefined: this
   * installation takes no frpc.
   */
  addressFor: (consoleHost: string) => Promise<FrpcAddress | undefined>;
};

/** Devices that run a stock frpc. */
export function registerFrpcDeviceRoutes(app: FastifyInstance, deps: FrpcDeviceRoutesDeps): void {
  const reply = async (req: FastifyRequest, find: () => Promise<FrpcIdentity>): Promise<FrpcConfiguration> => {
    const address = await deps.addressFor(req.hostname);
    if (!address) throw new AppError('device.frpc-off');
    const device = await find();
    return {
      device_id: device.id,
      server_host: address.host,
      server_port: address.port,
      is_certificate_checked: address.isCertificateChecked,
      ...configurationTexts({ ...address, user: device.uid, token: device.token }),
    };
  };
  const accountReply = async (req: FastifyRequest, find: () => Promise<FrpcAccountIdentity>): Promise<FrpcAccount> => {
    const address = await deps.addressFor(req.hostname);
    if (!address) throw new AppError('device.frpc-off');
    const { login: user, token } = await find();
    return {
      server_host: address.host,
      server_port: address.port,
      is_certificate_checked: address.isCertificateChecked,
      ...{ user, ...accountTexts({ ...address, user, token }) },
    };
  };
  mount(
    app,
    'POST /api/user/frpc_account/',
    { login: 'required' },
    async ({ req, session }) => await accountReply(req, async () => await readFrpcAccount(deps, session)),
  );
  mount(
    app,
    'POST /api/user/frpc_account/secret/',
    { login: 'required' },
    async ({ req, session }) => await accountReply(req, async () => await rotateFrpcAccount(deps, session)),
  );
  mount(
    app,
    'POST /api/user/frpc_devices/',
    { login: 'required' },
    async ({ req, body, session }) => await reply(req, async () => await createFrpcDevice(deps, session, body.name)),
  );
  mount(
    app,
    'POST /api/user/routers/{id}/frpc_configuration/',
    { login: 'required' },
    async ({ req, params, session }) =>
      await reply(req, async () => await readFrpcIdentity(deps, { id: params.id, userId: session.userId })),
  );
  mount(
    app,
    'POST /api/user/routers/{id}/frpc_secret/',
    { login: 'required' },
    async ({ req, params, session }) =>
      await reply(req, async () => await rotateFrpcToken(deps, { id: params.id, userId: session.userId })),
  );
}
