CREATE TABLE `sign_ups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`account` text NOT NULL,
	`username` text NOT NULL,
	`email` text NOT NULL,
	`company` text NOT NULL,
	`locale` text NOT NULL,
	`password` text,
	`link` text NOT NULL,
	`sent_at` integer NOT NULL,
	`proven_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ups_email` ON `sign_ups` (`email`);--> statement-breakpoint
CREATE INDEX `sign_ups_link` ON `sign_ups` (`link`);