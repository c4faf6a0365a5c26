/** Render graphs in files: reading and compiling them, writing plans as JSON, and what differs between two plans. */
@NullMarked
package io.frameloom.rdg.tools;

import org.jspecify.annotations.NullMarked;
