import { canInstall, installPackages } from './apt-get.ts';
import { howToInstall, missingOptions, missingRequirements, thisMachine } from './system-requirements.ts';

type Wanted = { withBrowser: boolean };

/**
 * Installs what the tests need of the machine, where it may. Where it may not, packages that are required end the
 * process at once; those that only some tests need are named.
 */
export async function prepareMachine(wanted: Wanted): Promise<void> {
  if (canInstall(thisMachine)) await installMissing(wanted);
  for (const { what, debianPackage, without } of missingOptions(thisMachine, wanted))
    console.log(`Without ${what} ${without}: apt-get install ${debianPackage}`);
  const missing = missingRequirements(thisMachine, wanted);
  if (missing.length === 0) return;
  console.error(howToInstall(thisMachine, missing));
  process.exit(1);
}

/** All at once where the system has each of them; else what is required, then each of the others separately. */
async function installMissing(wanted: Wanted): Promise<void> {
  const required = missingRequirements(thisMachine, wanted).map(({ debianPackage }) => debianPackage);
  const optional = missingOptions(thisMachine, wanted).map(({ debianPackage }) => debianPackage);
  if (required.length + optional.length === 0) return;
  console.log(`installing ${[...required, ...optional].join(', ')} …`);
  const areInstalled = await installPackages([...required, ...optional], { attempts: 1 }).then(
    () => true,
    () => false,
  );
  if (areInstalled) return;
  if (required.length > 0) await installPackages(required);
  for (const name of optional)
    await installPackages([name], { attempts: 1 }).catch((error: unknown) => console.log(String(error)));
}
