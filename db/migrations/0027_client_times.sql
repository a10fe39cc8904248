CREATE TABLE `client_times` (
	`network` integer NOT NULL,
	`policy` text NOT NULL,
	`mac` text NOT NULL,
	`used_ms` integer NOT NULL,
	`counted_at` integer NOT NULL,
	`block` text,
	PRIMARY KEY(`network`, `policy`, `mac`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
