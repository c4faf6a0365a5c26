package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.samples.window.StageListener.Button;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.sdl.SDLError;
import org.lwjgl.sdl.SDLEvents;
import org.lwjgl.sdl.SDLInit;
import org.lwjgl.sdl.SDLKeyboard;
import org.lwjgl.sdl.SDLMouse;
import org.lwjgl.sdl.SDLScancode;
import org.lwjgl.sdl.SDLVideo;
import org.lwjgl.sdl.SDLVulkan;
import org.lwjgl.sdl.SDL_Event;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** Windows of SDL. */
final class Sdl implements WindowSystem {
    private final Set<String> extensions;
    private final Map<Integer, Window> windows = new HashMap<>();
    private final SDL_Event event = SDL_Event.calloc();

    private Sdl(Set<String> extensions) {
        this.extensions = extensions;
    }

    /** Begins SDL, or returns null where there is no display, or none that Vulkan can present to. */
    static @Nullable Sdl begin() {
        if (!SDLInit.SDL_Init(SDLInit.SDL_INIT_VIDEO)) {
            return null;
        }
        PointerBuffer names = SDLVulkan.SDL_Vulkan_LoadLibrary((CharSequence) null)
                ? SDLVulkan.SDL_Vulkan_GetInstanceExtensions()
                : null;
        if (names == null) {
            SDLInit.SDL_Quit();
            return null;
        }
        Set<String> extensions = new HashSet<>();
        for (int i = 0; i < names.capacity(); i++) {
            extensions.add(names.getStringUTF8(i));
        }
        return new Sdl(Set.copyOf(extensions));
    }

    @Override
    public Set<String> extensions() {
        return extensions;
    }

    @Override
    public Stage open(String title, int x, int y, int width, int height) {
        long window = SDLVideo.SDL_CreateWindow(
                title,
                width,
                height,
                SDLVideo.SDL_WINDOW_VULKAN | SDLVideo.SDL_WINDOW_RESIZABLE | SDLVideo.SDL_WINDOW_HIGH_PIXEL_DENSITY);
        if (window == MemoryUtil.NULL) {
            throw new GpuException(
                    "SDL cannot open a window of " + width + "x" + height + ": " + SDLError.SDL_GetError());
        }
        SDLVideo.SDL_SetWindowPosition(window, x, y);
        SDLKeyboard.SDL_StartTextInput(window);
        Window opened = new Window(window);
        windows.put(SDLVideo.SDL_GetWindowID(window), opened);
        return opened;
    }

    @Override
    public void poll() {
        while (SDLEvents.SDL_PollEvent(event)) {
            handle();
        }
    }

    @Override
    public void await(Duration time) {
        if (SDLEvents.SDL_WaitEventTimeout(event, Math.toIntExact(time.toMillis()))) {
            handle();
            poll();
        }
    }

    private void handle() {
        switch (event.type()) {
            case SDLEvents.SDL_EVENT_QUIT -> windows.values().forEach(window -> window.closed = true);
            case SDLEvents.SDL_EVENT_WINDOW_CLOSE_REQUESTED -> {
                Window window = windows.get(event.window().windowID());
                if (window != null) {
                    window.closed = true;
                }
            }
            case SDLEvents.SDL_EVENT_MOUSE_MOTION -> {
                Window window = windows.get(event.motion().windowID());
                if (window != null) {
                    float scale = window.scale();
                    window.listener.pointer(
                            event.motion().x() * scale, event.motion().y() * scale);
                }
            }
            case SDLEvents.SDL_EVENT_MOUSE_BUTTON_DOWN, SDLEvents.SDL_EVENT_MOUSE_BUTTON_UP -> {
                Window window = windows.get(event.button().windowID());
                Button button = button(event.button().button());
                if (window != null && button != null) {
                    float scale = window.scale();
                    window.listener.button(
                            button,
                            event.button().down(),
                            event.button().x() * scale,
                            event.button().y() * scale);
                }
            }
            case SDLEvents.SDL_EVENT_MOUSE_WHEEL -> {
                Window window = windows.get(event.wheel().windowID());
                if (window != null) {
                    window.listener.wheel(event.wheel().x(), event.wheel().y());
                }
            }
            case SDLEvents.SDL_EVENT_KEY_DOWN, SDLEvents.SDL_EVENT_KEY_UP -> {
                Window window = windows.get(event.key().windowID());
                StageKey key = key(event.key().scancode());
                if (window != null && key != null) {
                    window.listener.key(key, event.key().down());
                }
            }
            case SDLEvents.SDL_EVENT_TEXT_INPUT -> {
                Window window = windows.get(event.text().windowID());
                String text = event.text().textString();
                if (window != null && text != null) {
                    text.codePoints().forEach(window.listener::text);
                }
            }
            default -> {}
        }
    }

    @Override
    public void close() {
        event.free();
        SDLInit.SDL_Quit();
    }

    private static @Nullable StageKey key(int scancode) {
        return switch (scancode) {
            case SDLScancode.SDL_SCANCODE_W -> StageKey.W;
            case SDLScancode.SDL_SCANCODE_A -> StageKey.A;
            case SDLScancode.SDL_SCANCODE_S -> StageKey.S;
            case SDLScancode.SDL_SCANCODE_D -> StageKey.D;
            case SDLScancode.SDL_SCANCODE_Q -> StageKey.Q;
            case SDLScancode.SDL_SCANCODE_E -> StageKey.E;
            case SDLScancode.SDL_SCANCODE_UP -> StageKey.UP;
            case SDLScancode.SDL_SCANCODE_DOWN -> StageKey.DOWN;
            case SDLScancode.SDL_SCANCODE_LEFT -> StageKey.LEFT;
            case SDLScancode.SDL_SCANCODE_RIGHT -> StageKey.RIGHT;
            case SDLScancode.SDL_SCANCODE_LSHIFT, SDLScancode.SDL_SCANCODE_RSHIFT -> StageKey.SHIFT;
            case SDLScancode.SDL_SCANCODE_LCTRL, SDLScancode.SDL_SCANCODE_RCTRL -> StageKey.CONTROL;
            case SDLScancode.SDL_SCANCODE_SPACE -> StageKey.SPACE;
            case SDLScancode.SDL_SCANCODE_PERIOD -> StageKey.PERIOD;
            case SDLScancode.SDL_SCANCODE_BACKSPACE -> StageKey.BACKSPACE;
            case SDLScancode.SDL_SCANCODE_DELETE -> StageKey.DELETE;
            case SDLScancode.SDL_SCANCODE_RETURN, SDLScancode.SDL_SCANCODE_KP_ENTER -> StageKey.ENTER;
            case SDLScancode.SDL_SCANCODE_TAB -> StageKey.TAB;
            case SDLScancode.SDL_SCANCODE_HOME -> StageKey.HOME;
            case SDLScancode.SDL_SCANCODE_END -> StageKey.END;
            case SDLScancode.SDL_SCANCODE_ESCAPE -> StageKey.ESCAPE;
            case SDLScancode.SDL_SCANCODE_F1 -> StageKey.F1;
            case SDLScancode.SDL_SCANCODE_F11 -> StageKey.F11;
            default -> null;
        };
    }

    private static @Nullable Button button(int button) {
        return switch (button) {
            case SDLMouse.SDL_BUTTON_LEFT -> Button.LEFT;
            case SDLMouse.SDL_BUTTON_MIDDLE -> Button.MIDDLE;
            case SDLMouse.SDL_BUTTON_RIGHT -> Button.RIGHT;
            default -> null;
        };
    }

    private final class Window implements Stage {
        private final long window;
        private StageListener listener = StageListener.NONE;
        private boolean closed;

        Window(long window) {
            this.window = window;
        }

        private float scale() {
            return SDLVideo.SDL_GetWindowPixelDensity(window);
        }

        @Override
        public Surface surface(GpuDevice device) {
            VulkanDevice gpu = (VulkanDevice) device;
            try (MemoryStack stack = MemoryStack.stackPush()) {
                var out = stack.mallocLong(1);
                if (!SDLVulkan.SDL_Vulkan_CreateSurface(window, gpu.handles().instance(), null, out)) {
                    throw new GpuException("SDL cannot make a surface of its window: " + SDLError.SDL_GetError());
                }
                return gpu.adoptSurface("window", out.get(0));
            }
        }

        @Override
        public String name() {
            return "a window of SDL";
        }

        @Override
        public int width() {
            return extent()[0];
        }

        @Override
        public int height() {
            return extent()[1];
        }

        private int[] extent() {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                var width = stack.callocInt(1);
                var height = stack.callocInt(1);
                SDLVideo.SDL_GetWindowSizeInPixels(window, width, height);
                return new int[] {width.get(0), height.get(0)};
            }
        }

        @Override
        public boolean isMinimized() {
            int[] extent = extent();
            return extent[0] == 0
                    || extent[1] == 0
                    || (SDLVideo.SDL_GetWindowFlags(window) & SDLVideo.SDL_WINDOW_MINIMIZED) != 0;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void resize(int width, int height) {
            SDLVideo.SDL_SetWindowSize(window, width, height);
        }

        @Override
        public void fullScreen(boolean whether) {
            SDLVideo.SDL_SetWindowFullscreen(window, whether);
        }

        @Override
        public void title(String title) {
            SDLVideo.SDL_SetWindowTitle(window, title);
        }

        @Override
        public void listen(StageListener to) {
            listener = to;
        }

        @Override
        public void close() {
            windows.values().remove(this);
            SDLVideo.SDL_DestroyWindow(window);
        }
    }
}
