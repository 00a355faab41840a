// What keeps a manifest and its versions from being released.
const NEEDED = ["id", "name", "version", "minAppVersion", "description", "author", "isDesktopOnly"];
const LONGEST_DESCRIPTION = 250;

/** Sentences, one a fault; none where both may go out. */
export function faultsOf(manifest, versions) {
  const faults = NEEDED.filter((key) => manifest[key] === undefined).map((key) => `manifest.json has no ${key}.`);
  if (faults.length > 0) return faults;
  const { id, name, version, minAppVersion, description } = manifest;
  if (!/^\d+\.\d+\.\d+$/.test(version)) faults.push(`The version ${version} is not of three numbers.`);
  if (versions[version] === undefined) faults.push(`versions.json does not name ${version}.`);
  else if (versions[version] !== minAppVersion) faults.push(`versions.json says that ${version} needs ${versions[version]}, manifest.json ${minAppVersion}.`);
  for (const [key, text] of [["id", id], ["name", name], ["description", description]]) {
    if (/obsidian/i.test(text)) faults.push(`The ${key} must not name the app.`);
  }
  if (!/^[a-z][a-z-]*$/.test(id) || id.endsWith("plugin")) faults.push(`The id ${id} is not of small letters and hyphens, or ends in "plugin".`);
  if (!description.endsWith(".") || description.length > LONGEST_DESCRIPTION) faults.push(`The description is to be one sentence of at most ${LONGEST_DESCRIPTION} letters.`);
  return faults;
}
