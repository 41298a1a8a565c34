import type { RegistrationSettings } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { readRegistration, type RegistrationMethods } from './registration.ts';
import { saveRegistration } from './registration-store.ts';

export type RegistrationDeps = {
  db: Db;
  log: Logger;
  registrationMethods: RegistrationMethods;
  mailer: object | undefined;
};

/** For staff: who may make an account. */
export function registerRegistrationRoutes(app: FastifyInstance, deps: RegistrationDeps): void {
  const { db, registrationMethods: methods, mailer } = deps;
  const read = async (): Promise<RegistrationSettings> => ({
    registration: await readRegistration(db, methods),
    methods,
    mail: mailer !== undefined,
  });
  mount(app, 'GET /api/manage/registration/', { login: 'required' }, read);
  mount(app, 'PATCH /api/manage/registration/', { login: 'required' }, async ({ body, session, req }) => {
    const { registration } = body;
    await db.transaction().execute(async (tx) => {
      const before = { registration: await readRegistration(tx, methods) };
      await saveRegistration(tx, registration);
      const actor = { userId: session.userId, ip: req.ip };
      const object = { type: 'setting', id: null, name: 'registration' };
      await recordAuditEntry(tx, actor, { action: 'registration.changed', object, before, after: { registration } });
    });
    deps.log.warn({ byUserId: session.userId, registration }, 'who may register was changed');
    return await read();
  });
}
