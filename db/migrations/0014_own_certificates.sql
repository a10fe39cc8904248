CREATE TABLE `certificate_authorities` (
	`organization` integer PRIMARY KEY NOT NULL,
	`certificate` text NOT NULL,
	`key` text NOT NULL,
	`crl_number` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `certificates` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` integer NOT NULL,
	`network` integer,
	`name` text NOT NULL,
	`use` text NOT NULL,
	`serial` text NOT NULL,
	`certificate` text NOT NULL,
	`key` text NOT NULL,
	`valid_from` integer NOT NULL,
	`valid_to` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_serial` ON `certificates` (`organization`,`serial`);--> statement-breakpoint
CREATE INDEX `certificates_network` ON `certificates` (`network`);--> statement-breakpoint
CREATE TABLE `radius_networks` (
	`network` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
