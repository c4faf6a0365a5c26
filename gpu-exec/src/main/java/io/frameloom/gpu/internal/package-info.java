/** What the backends share; not exported. */
@NullMarked
package io.frameloom.gpu.internal;

import org.jspecify.annotations.NullMarked;
