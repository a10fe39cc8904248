CREATE TABLE `role_lines` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`source` text NOT NULL,
	`value` text NOT NULL,
	`role` text NOT NULL,
	`all_networks` integer NOT NULL,
	`networks` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `role_lines_value` ON `role_lines` (`organization`,`source`,`value`);--> statement-breakpoint
CREATE TABLE `saml_providers` (
	`organization` integer PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL,
	`identifier` text NOT NULL,
	`data` text NOT NULL,
	`key` text NOT NULL,
	`certificate` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saml_providers_identifier` ON `saml_providers` (`identifier`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `source` text DEFAULT 'local' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `subject` text;--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_subject` ON `accounts` (`organization`,`subject`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `sso` text;