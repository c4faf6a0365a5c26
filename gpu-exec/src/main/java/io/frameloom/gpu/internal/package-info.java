/** What the backends share, and messages of the other modules here; exported to those alone. */
@NullMarked
package io.frameloom.gpu.internal;

import org.jspecify.annotations.NullMarked;
