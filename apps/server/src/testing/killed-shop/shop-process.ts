/** A process of the shop with tasks from its parent, which kills it in the middle: see `killed-at-any-step.db.test.ts`. */
import { must } from '@tongtu/base';
import { checkLedger } from '../../features/ledger/index.ts';
import { runJobs } from '../money-world.ts';
import { insertBuyers, stateOf } from './buyers.ts';
import { Course } from './courses.ts';
import { type Buyer, openShop, type Shop, type ShopConfig } from './shop.ts';

export type ShopTask =
  | { task: 'insert'; count: number }
  /** Each buyer stands still before the step of this number. Without one, all of them is done. */
  | { task: 'buy'; buyers: readonly Buyer[]; stopAt: readonly number[] }
  /** What a restarted process does: its jobs, and the calls that buyers make again. */
  | { task: 'recover'; buyers: readonly Buyer[] };

async function act(shop: Shop, task: ShopTask): Promise<unknown> {
  switch (task.task) {
    case 'insert':
      return await insertBuyers(shop, task.count);
    case 'buy': {
      const courses = task.buyers.map((_, n) => new Course(task.stopAt[n]));
      await Promise.all(task.buyers.map(async (buyer, n) => await shop.buy(buyer, must(courses[n], 'the course'))));
      return courses.map(({ steps }) => steps);
    }
    case 'recover': {
      await runJobs(shop);
      for (const buyer of task.buyers) await shop.buy(buyer, new Course());
      await runJobs(shop);
      const states = [];
      for (const buyer of task.buyers) states.push(await stateOf(shop.db, buyer));
      return { states, problems: (await checkLedger(shop.db)).problems };
    }
  }
}

const shop = await openShop(JSON.parse(must(process.argv[2], 'the configuration')) as ShopConfig); // written by the test
process.on('message', (task: ShopTask) => {
  void act(shop, task).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
