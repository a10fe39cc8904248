/**
 * Each service is told, and what its script ends with is no verdict: it is the end of its last command, which sets the
 * kernel's time zone for one, as a container may not.
 */
export const reloadService = (name: string, verb = 'reload') =>
  `[ ! -x /etc/init.d/${name} ] || /etc/init.d/${name} ${verb} || :`
