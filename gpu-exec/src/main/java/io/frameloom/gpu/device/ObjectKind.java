package io.frameloom.gpu.device;

import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Texture;

/**
 * The kinds of objects that an application owns and closes, in the order in which forgotten ones are closed: users
 * before what they use.
 */
public enum ObjectKind {
    /** Frame context. */
    FRAME_CONTEXT("frame context", FrameContext.class),
    /** Timestamp set. */
    TIMESTAMPS("timestamp set", TimestampSet.class),
    /** Query set. */
    QUERIES("query set", QuerySet.class),
    /** Set of device events. */
    DEVICE_EVENTS("device event set", DeviceEventSet.class),
    /** Binding set. */
    BINDING_SET("binding set", BindingSet.class),
    /** Bindless table. */
    BINDLESS_TABLE("bindless table", BindlessTable.class),
    /** Pipeline. */
    PIPELINE("pipeline", Pipeline.class),
    /** Swapchain. */
    SWAPCHAIN("swapchain", Swapchain.class),
    /** Surface. */
    SURFACE("surface", Surface.class),
    /** Texture. */
    TEXTURE("texture", Texture.class),
    /** Buffer. */
    BUFFER("buffer", Buffer.class),
    /** Heap. */
    HEAP("heap", MemoryHeap.class),
    /** Timeline that devices share. */
    TIMELINE("timeline", ExternalTimeline.class);

    private final String words;
    private final Class<?> type;

    ObjectKind(String words, Class<?> type) {
        this.words = words;
        this.type = type;
    }

    /** Returns the kind of an object of any device. */
    public static ObjectKind of(Object object) {
        for (ObjectKind kind : values()) {
            if (kind.type.isInstance(object)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(object.getClass() + " is no kind of object that an application closes");
    }

    /** Returns kind and name for messages. */
    public String describe(String name) {
        return words + " '" + name + "'";
    }
}
